/**
 * The checks of {@code midcourse doctor}: machine, data folder, hub, agents.
 *
 * <p>Printing them is the command's task.
 */
@NullMarked
package dev.midcourse.cli.doctor;

import org.jspecify.annotations.NullMarked;

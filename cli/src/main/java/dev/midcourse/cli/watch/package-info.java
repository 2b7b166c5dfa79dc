/**
 * The full-screen view: a model that messages change, a renderer that turns the model into cells,
 * and a loop around a terminal. Only the classes of this package use the terminal and the hub; the
 * subpackages are pure.
 */
@NullMarked
package dev.midcourse.cli.watch;

import org.jspecify.annotations.NullMarked;

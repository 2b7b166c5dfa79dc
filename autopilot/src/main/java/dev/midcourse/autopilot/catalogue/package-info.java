/**
 * The kinds of forges that there are: opens one of a setting, and reads the events of its hooks.
 * Not here: the forges themselves ({@code autopilot.forge} and the packages below it).
 */
@NullMarked
package dev.midcourse.autopilot.catalogue;

import org.jspecify.annotations.NullMarked;

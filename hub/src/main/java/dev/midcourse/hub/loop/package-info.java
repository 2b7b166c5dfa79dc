/**
 * Autopilot loops over HTTP: requests, views, and the use cases, which ask who may do what. Not
 * here: what a loop does ({@code core.loop}), and doing it ({@code autopilot}).
 */
@NullMarked
package dev.midcourse.hub.loop;

import org.jspecify.annotations.NullMarked;

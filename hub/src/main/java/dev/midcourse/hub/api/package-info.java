/**
 * The routes of the API: each translates a request into a call of the engine, and its answer back.
 */
@NullMarked
package dev.midcourse.hub.api;

import org.jspecify.annotations.NullMarked;

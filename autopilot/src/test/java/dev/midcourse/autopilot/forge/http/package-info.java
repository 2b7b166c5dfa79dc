/** Tests of requests to forges. */
@NullMarked
package dev.midcourse.autopilot.forge.http;

import org.jspecify.annotations.NullMarked;

/**
 * The gateway: a process of its own that stands between agents and their models. It passes requests
 * on unchanged and records what they contained.
 *
 * <p>{@code GatewayMain} is the program. Starting it from a hub is in {@code gateway.process}.
 */
@NullMarked
package dev.midcourse.gateway;

import org.jspecify.annotations.NullMarked;

/**
 * Puts an agent behind the gateway: gives it its address, follows the records of its requests, and
 * turns them into evidence.
 *
 * <p>Which agents are behind the gateway is not decided in here.
 */
@NullMarked
package dev.midcourse.gateway.driver;

import org.jspecify.annotations.NullMarked;

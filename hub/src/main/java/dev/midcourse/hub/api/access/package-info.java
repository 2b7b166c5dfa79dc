/**
 * Checks that a caller may do an action, and logs denials. Not here: the rule itself ({@code
 * core.authority}), and who the caller is ({@code hub.auth}).
 */
@NullMarked
package dev.midcourse.hub.api.access;

import org.jspecify.annotations.NullMarked;

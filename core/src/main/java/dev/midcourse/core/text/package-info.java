/**
 * Text from outside, in the form in which every interface shows it to a person. Drawing and
 * measuring text is not here: each interface does that for itself.
 */
@NullMarked
package dev.midcourse.core.text;

import org.jspecify.annotations.NullMarked;

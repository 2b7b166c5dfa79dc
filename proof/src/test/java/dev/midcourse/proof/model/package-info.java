@NullMarked
package dev.midcourse.proof.model;

import org.jspecify.annotations.NullMarked;

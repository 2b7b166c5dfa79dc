/**
 * The rules of runs, steers and receipts as pure functions over records. No I/O, no threads, no
 * clock.
 */
@NullMarked
package dev.midcourse.core;

import org.jspecify.annotations.NullMarked;

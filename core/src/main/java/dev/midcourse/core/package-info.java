/** What is true: runs, steers, receipts, authority, contracts. */
@NullMarked
package dev.midcourse.core;

import org.jspecify.annotations.NullMarked;

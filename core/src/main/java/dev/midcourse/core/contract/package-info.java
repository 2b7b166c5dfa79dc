/**
 * What a lead and a worker promise each other: the dispatch that asks for work, and the completion
 * that says it is done. Read from values, never from text; nothing here throws for what it reads.
 */
@NullMarked
package dev.midcourse.core.contract;

import org.jspecify.annotations.NullMarked;

/**
 * Files that people send: fetched from their platform and put into the folder of the run.
 *
 * <p>Not here: how a platform gives a file ({@code channels}), and files that agents send ({@code
 * engine.conversation.tools}).
 */
@NullMarked
package dev.midcourse.engine.conversation.attachment;

import org.jspecify.annotations.NullMarked;

/**
 * What requests and responses say, as pure functions: the kind of a request, the steers in it, the
 * tokens it used. The formats are those of Anthropic Messages, OpenAI Responses, OpenAI Chat
 * Completions and Gemini.
 *
 * <p>Input and output are not in here.
 */
@NullMarked
package dev.midcourse.gateway.read;

import org.jspecify.annotations.NullMarked;

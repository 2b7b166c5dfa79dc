/**
 * Messages of people in the form in which an agent reads them, with local times, and the agent's
 * answer in the form in which people read it. The form is the one of NanoClaw v1, bit for bit.
 * Routing of messages is not here, and neither is the text of a steer.
 */
@NullMarked
package dev.midcourse.core.prompt;

import org.jspecify.annotations.NullMarked;

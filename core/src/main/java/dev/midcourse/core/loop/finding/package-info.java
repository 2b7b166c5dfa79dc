/**
 * Findings: the remarks of reviewers and of CI about the work of a loop. A finding keeps its
 * identity over rounds, although lines move. Here are also the readers for the messages in which
 * agents report and answer findings. Not here: what a loop does about its findings ({@code
 * core.loop}).
 */
@NullMarked
package dev.midcourse.core.loop.finding;

import org.jspecify.annotations.NullMarked;

/**
 * Configuration of the real agents for a scripted model: a home folder each, a dummy key, loopback
 * only. One class per agent has its variables, its files and its command line.
 */
@NullMarked
package dev.midcourse.proof.agents;

import org.jspecify.annotations.NullMarked;

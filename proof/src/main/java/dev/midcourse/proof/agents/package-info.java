/**
 * The real agents, set up to talk to a scripted model: a home folder of their own, a dummy key,
 * loopback only. A class per agent knows its variables, its files and its command line.
 */
@NullMarked
package dev.midcourse.proof.agents;

import org.jspecify.annotations.NullMarked;

/**
 * Attacks on the guarantees of docs/security.md, one class per attacker: a hostile agent in
 * bubblewrap, a hostile agent in a container, a hostile local user, a hostile client of a proxy.
 * Each test carries out the attack with real programs against a real hub process and checks that it
 * fails.
 *
 * <p>{@link dev.midcourse.proof.attack.AttackedHub} is the set-up that they share: a home with
 * secrets, a hub, and an agent that runs each prompt as a shell script. Tests of single classes are
 * not in here; they are in the modules of these classes.
 */
@NullMarked
package dev.midcourse.proof.attack;

import org.jspecify.annotations.NullMarked;

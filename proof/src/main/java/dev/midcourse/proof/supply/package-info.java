/** What the program consists of: its libraries, their licences and their known vulnerabilities. */
@NullMarked
package dev.midcourse.proof.supply;

import org.jspecify.annotations.NullMarked;

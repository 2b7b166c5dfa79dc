/** How a command ends: what its exit code means and what it says when it failed. */
@NullMarked
package dev.midcourse.cli.exit;

import org.jspecify.annotations.NullMarked;

/**
 * The channel of WhatsApp over the Cloud API of its vendor: a webhook for what people write, HTTP
 * requests for what is sent. Not here: the HTTP server ({@code hub}).
 */
@NullMarked
package dev.midcourse.channels.whatsapp;

import org.jspecify.annotations.NullMarked;

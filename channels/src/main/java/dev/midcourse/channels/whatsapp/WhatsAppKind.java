package dev.midcourse.channels.whatsapp;

import static dev.midcourse.channels.kind.ChannelSetting.Type.SECRET;
import static dev.midcourse.channels.kind.ChannelSetting.Type.TEXT;
import static dev.midcourse.channels.kind.ChannelSetting.Type.URL;
import static dev.midcourse.channels.kind.ChannelSetting.optional;
import static dev.midcourse.channels.kind.ChannelSetting.required;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.kind.ChannelSetting;
import java.util.List;

/** Channels to WhatsApp by the Cloud API. */
public final class WhatsAppKind implements ChannelKind {
  private static final ChannelCheck TERMS =
      ChannelCheck.warning(
          "the terms of the platform forbid assistants with AI as the main function since January 2026",
          "Read docs/channels/whatsapp.md and decide whether your use is allowed.");

  @Override
  public String name() {
    return "whatsapp";
  }

  @Override
  public String title() {
    return "WhatsApp";
  }

  @Override
  public List<ChannelSetting> settings() {
    return List.of(
        required(
            "phone_number_id", TEXT, "The id of the phone number, under API Setup of the app."),
        required("token", SECRET, "The permanent token of a system user."),
        required("app_secret", SECRET, "The app secret, under App settings, Basic."),
        required("verify_token", SECRET, "A word that you invent and enter at the platform too."),
        optional("api_url", URL, "Another address of the platform, for tests."));
  }

  @Override
  public List<String> preparation() {
    return List.of(
        "Read the terms: docs/channels/whatsapp.md says what they forbid.",
        "Make an app with the product WhatsApp at developers.facebook.com, and add a phone number.",
        "Make a system user with the permission whatsapp_business_messaging, and a token of it.",
        "Under Webhooks enter https://YOUR-HOST/api/v1/channels/NAME/updates and the verify token, and subscribe to messages.");
  }

  @Override
  public Channel open(ChannelConfig config, ChannelContext context) {
    return new WhatsAppChannel(WhatsAppSettings.read(config), context.clock());
  }

  @Override
  public List<ChannelCheck> check(ChannelConfig config, ChannelContext context) {
    WhatsAppSettings settings = WhatsAppSettings.read(config);
    try (WhatsAppClient client = new WhatsAppClient(settings)) {
      PlatformResponse response = client.phone();
      if (response.status() == 200) {
        String number = response.json().string("display_phone_number").orElse(settings.phone());
        String owner = response.json().string("verified_name").orElse("without a name");
        return List.of(ChannelCheck.ok("the number is " + number + ", " + owner), TERMS);
      }
      WhatsAppError error = WhatsAppError.read(response.json().object("error"));
      return List.of(
          ChannelCheck.failed(
              "the platform refused the token: " + error.shown(), WhatsAppError.TOKEN_REMEDY));
    } catch (PlatformException e) {
      return List.of(
          ChannelCheck.failed(
              String.valueOf(e.getMessage()),
              "Look whether this machine reaches " + settings.api().getHost() + "."));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of(ChannelCheck.failed("the check was interrupted", "Check again."));
    }
  }
}

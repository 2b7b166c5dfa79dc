package dev.midcourse.channels.xmpp;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jivesoftware.smack.SmackException;
import org.jivesoftware.smack.XMPPConnection;
import org.jivesoftware.smack.XMPPException;
import org.jivesoftware.smack.packet.IQ;
import org.jivesoftware.smack.packet.Presence;
import org.jivesoftware.smack.packet.StanzaError;
import org.jivesoftware.smackx.muc.packet.MUCInitialPresence;
import org.jivesoftware.smackx.muc.packet.MUCItem;
import org.jivesoftware.smackx.muc.packet.MUCOwner;
import org.jivesoftware.smackx.muc.packet.MUCUser;
import org.jivesoftware.smackx.muc.packet.MUCUser.Status;
import org.jivesoftware.smackx.xdata.FormField;
import org.jivesoftware.smackx.xdata.packet.DataForm;
import org.jxmpp.jid.BareJid;
import org.jxmpp.jid.EntityBareJid;
import org.jxmpp.jid.Jid;
import org.jxmpp.jid.impl.JidCreate;
import org.jxmpp.jid.parts.Resourcepart;
import org.jxmpp.stringprep.XmppStringprepException;

/** The rooms in which we are, and which account is behind each nick in them. */
final class XmppRooms {
  private static final System.Logger LOG = System.getLogger(XmppRooms.class.getName());
  private static final int NON_ANONYMOUS = 100;
  private static final int MAX_OCCUPANTS = 100_000;

  private final XmppSettings settings;
  private final XMPPConnection connection;
  private final ChannelListener listener;
  private final Map<BareJid, Resourcepart> nicks = new ConcurrentHashMap<>();
  private final Set<BareJid> withAccounts = ConcurrentHashMap.newKeySet();
  private final Set<BareJid> entered = ConcurrentHashMap.newKeySet();
  private final Map<Jid, BareJid> accounts = new ConcurrentHashMap<>();

  XmppRooms(XmppSettings settings, XMPPConnection connection, ChannelListener listener) {
    this.settings = settings;
    this.connection = connection;
    this.listener = listener;
  }

  void enterAll() throws SmackException, InterruptedException {
    for (EntityBareJid room : settings.rooms()) {
      enter(room, settings.nick());
    }
  }

  private void enter(EntityBareJid room, String nick)
      throws SmackException.NotConnectedException, InterruptedException {
    try {
      Resourcepart part = Resourcepart.from(nick);
      nicks.put(room, part);
      // No history: the archive of the room has it, with ids.
      connection.sendStanza(
          connection
              .getStanzaFactory()
              .buildPresenceStanza()
              .to(JidCreate.entityFullFrom(room, part))
              .addExtension(new MUCInitialPresence(null, -1, 0, -1, null))
              .build());
    } catch (XmppStringprepException e) {
      LOG.log(Level.WARNING, "The nick {0} is not allowed in XMPP.", nick);
    }
  }

  boolean isRoom(Jid address) {
    return nicks.containsKey(address.asBareJid());
  }

  boolean isEntered(Jid room) {
    return entered.contains(room.asBareJid());
  }

  boolean isUs(Jid occupant) {
    Resourcepart nick = nicks.get(occupant.asBareJid());
    return nick != null && nick.equals(occupant.getResourceOrNull());
  }

  String nick(Jid room) {
    Resourcepart nick = nicks.get(room.asBareJid());
    return nick == null ? settings.nick() : nick.toString();
  }

  /** Whether the room shows the accounts of all to everybody. */
  boolean showsAccounts(Jid room) {
    return withAccounts.contains(room.asBareJid());
  }

  /** The account of an occupant; empty in an anonymous room. */
  Optional<BareJid> account(Jid occupant) {
    return Optional.ofNullable(accounts.get(occupant));
  }

  /** Takes a presence; returns the room if we have just entered it. */
  Optional<EntityBareJid> take(Presence presence) throws SmackException, InterruptedException {
    Jid from = presence.getFrom();
    MUCUser user = MUCUser.from(presence);
    if (from == null || !isRoom(from)) {
      return Optional.empty();
    }
    EntityBareJid room = from.asEntityBareJidOrThrow();
    switch (presence.getType()) {
      case available -> {
        if (user != null) {
          return available(from, room, user);
        }
      }
      case unavailable -> unavailable(from, room, Optional.ofNullable(user));
      case error -> refused(room, presence.getError());
      case subscribe, subscribed, unsubscribe, unsubscribed, probe -> {}
    }
    return Optional.empty();
  }

  private Optional<EntityBareJid> available(Jid from, EntityBareJid room, MUCUser user)
      throws SmackException, InterruptedException {
    MUCItem item = user.getItem();
    if (item != null && item.getJid() != null && accounts.size() < MAX_OCCUPANTS) {
      accounts.put(from, item.getJid().asBareJid());
    }
    boolean isSelf = user.getStatus().contains(Status.PRESENCE_TO_SELF_110);
    if (!isSelf || !entered.add(room)) {
      return Optional.empty();
    }
    if (user.getStatus().contains(Status.ROOM_CREATED_201)) {
      configure(room);
    } else if (user.getStatus().contains(Status.create(NON_ANONYMOUS))) {
      withAccounts.add(room);
    } else {
      LOG.log(
          Level.WARNING,
          "The room {0} of the channel {1} is anonymous: nobody has an identity in it. Let its"
              + " owner show real addresses to everybody.",
          room,
          settings.name());
    }
    listener.notice(
        settings.name(),
        new ChannelNotice.ChatOpened(room.toString(), Optional.of(room.toString())));
    return Optional.of(room);
  }

  /** A room that we have just made is locked until its form is sent. */
  private void configure(EntityBareJid room) throws SmackException, InterruptedException {
    MUCOwner form = new MUCOwner();
    form.setTo(room);
    form.setType(IQ.Type.set);
    form.addExtension(
        DataForm.builder(DataForm.Type.submit)
            .setFormType("http://jabber.org/protocol/muc#roomconfig")
            .addField(
                FormField.listSingleBuilder("muc#roomconfig_whois").setValue("anyone").build())
            .addField(
                FormField.booleanBuilder("muc#roomconfig_persistentroom").setValue(true).build())
            .build());
    try {
      connection.sendIqRequestAndWaitForResponse(form);
      withAccounts.add(room);
    } catch (XMPPException.XMPPErrorException e) {
      LOG.log(Level.WARNING, "The new room {0} cannot be configured: {1}", room, e.getMessage());
    }
  }

  private void unavailable(Jid from, EntityBareJid room, Optional<MUCUser> user) {
    accounts.remove(from);
    boolean isRename =
        user.filter(known -> known.getStatus().contains(Status.NEW_NICKNAME_303)).isPresent();
    if (isUs(from) && !isRename && entered.remove(room)) {
      String reason =
          user.map(MUCUser::getItem)
              .map(MUCItem::getReason)
              .or(() -> user.map(MUCUser::getDestroy).map(gone -> "the room was destroyed"))
              .map(text -> ": " + XmppUpdateReader.plain(text))
              .orElse("");
      listener.notice(
          settings.name(),
          new ChannelNotice.ChatClosed(room.toString(), "the bot was removed" + reason));
    }
  }

  private void refused(EntityBareJid room, StanzaError error)
      throws SmackException.NotConnectedException, InterruptedException {
    boolean isTaken = error != null && error.getCondition() == StanzaError.Condition.conflict;
    if (isTaken && nick(room).length() < settings.nick().length() + 5) {
      enter(room, nick(room) + "_");
    } else if (!entered.contains(room)) {
      String reason = error == null ? "no reason given" : error.getCondition().toString();
      LOG.log(
          Level.WARNING,
          "The channel {0} cannot enter {1}: {2}. Make the bot a member, or change rooms.",
          settings.name(),
          room,
          reason);
      listener.notice(
          settings.name(),
          new ChannelNotice.ChatClosed(room.toString(), "the bot cannot enter: " + reason));
    }
  }
}

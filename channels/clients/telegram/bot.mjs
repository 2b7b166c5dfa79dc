// A bot on grammY, which knows nothing of Midcourse. It talks to the Bot API at the address of the first argument and
// prints what it receives, one JSON object a line. It answers each text with a reply, a reaction, a card and an edit, and each
// click with an alert. It ends after the text "bye".
import { Bot, GrammyError, InlineKeyboard, InputFile } from "grammy";

const [apiRoot, token] = process.argv.slice(2);
const bot = new Bot(token, { client: { apiRoot } });
const say = (what) => console.log(JSON.stringify(what));

bot.on("message:text", async (ctx) => {
  say({
    text: ctx.message.text,
    from: ctx.from.id,
    mentions: ctx.entities("mention").map((entity) => entity.text),
  });
  if (ctx.message.text === "bye") {
    await bot.stop();
    return;
  }
  const sent = await ctx.reply("<b>hello</b>", {
    parse_mode: "HTML",
    reply_parameters: { message_id: ctx.message.message_id, allow_sending_without_reply: true },
    reply_markup: new InlineKeyboard().text("Allow", "b1"),
  });
  await ctx.react("👀");
  await ctx.api.editMessageText(sent.chat.id, sent.message_id, "edited");
  await ctx.replyWithDocument(new InputFile(new TextEncoder().encode("notes"), "notes.txt"));
  try {
    await ctx.reply("<x>", { parse_mode: "HTML" });
  } catch (error) {
    say({ refused: error instanceof GrammyError ? error.description : String(error) });
  }
});
bot.on("callback_query:data", async (ctx) => {
  say({ click: ctx.callbackQuery.data });
  await ctx.answerCallbackQuery({ text: "thanks" });
});
bot.on("my_chat_member", (ctx) => say({ member: ctx.myChatMember.new_chat_member.status }));
bot.catch((error) => say({ error: String(error.error) }));
await bot.start({ onStart: (me) => say({ started: me.username }) });

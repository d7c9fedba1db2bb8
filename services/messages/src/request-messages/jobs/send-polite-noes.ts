import { insertMessages } from '../../shared/db/insert-messages.ts';
import { hideMessage } from '../../shared/db/messages.ts';
import { listPoliteNoes, takePoliteNo } from '../../shared/db/polite-noes.ts';
import { politeNo } from '../../shared/domain/polite-no.ts';
import { composeAnswer } from '../actions/compose-answer.ts';
import type { Context } from '../context.ts';

const batch = 100;

/** Answers remote messages that a rule declined. Their recipient sees neither message nor answer. */
export async function sendPoliteNoes(context: Context): Promise<void> {
  const { clock, commit, database } = context;
  for (const row of await listPoliteNoes(database.db, new Date(clock.now()), batch)) {
    const answer = await composeAnswer(context, row, politeNo, false, null);
    await commit(async (tx) => {
      if (!(await takePoliteNo(tx, row.id)) || answer === null) return;
      const { message, sent } = answer;
      await insertMessages(tx, [message]);
      await hideMessage(tx, row.recipient, message.row.id, message.row.at);
      tx.announce(sent);
    });
  }
}

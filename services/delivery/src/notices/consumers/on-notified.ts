import type { Tx } from '@hearth/db';
import { isUuid } from '@hearth/ids';
import { limitFor } from '@hearth/limits';
import type { ReceivedEvent } from '@hearth/runtime';
import { audiences } from '../../events/module.ts';
import { noticeWords } from '../../shared/domain/notice-words.ts';
import { findRecipients } from '../actions/find-recipients.ts';
import { recordNotice } from '../actions/metrics.ts';
import type { Context } from '../context.ts';
import { noteNotified } from '../db/notices.ts';
import { appNotice } from '../domain/app-notice.ts';
import type { Addressed } from '../domain/notice.ts';

/** No one is notified of the same thing twice within this many hours. */
const restHours = 12;

/**
 * Notifies people of what needs them, each thing once in twelve hours, even for repeated events: through the
 * app that holds them, otherwise by email. Notices, mails and the apps' events are written in one
 * transaction.
 */
export const onNotified =
  (context: Context) =>
  async (events: readonly ReceivedEvent[]): Promise<void> => {
    const drafts = events
      .flatMap(({ event }) => audiences.notice.drafts(event))
      .map((draft) => ({ ...draft, item: draft.item ?? draft.event }))
      .filter(({ person, item }) => isUuid(person) && isUuid(item));
    if (drafts.length === 0) return;
    for (const round of roundsOf(await findRecipients(context.people, drafts)))
      await notifyRound(context, round);
  };

/**
 * Sorts notices by time into rounds, with at most one notice per thing and person in each: whether the next
 * is due depends on the one before.
 */
function roundsOf(addressed: readonly Addressed[]): Addressed[][] {
  const rounds: Addressed[][] = [];
  const before = new Map<string, number>();
  for (const one of [...addressed].sort((a, b) => a.notice.at.getTime() - b.notice.at.getTime())) {
    const { person, about, item } = one.notice;
    const key = `${person} ${about} ${item} ${stageOf(one.notice)}`;
    const round = before.get(key) ?? 0;
    before.set(key, round + 1);
    if (rounds[round] === undefined) rounds.push([]);
    rounds[round]!.push(one);
  }
  return rounds;
}

/** Returns the kind of a notice with its stage. */
function stageOf({ kind, stage }: Addressed['notice']): string {
  return stage === undefined ? kind : `${kind}.${stage}`;
}

async function notifyRound(
  { appEvents, database, languages, limits, links, outbound }: Context,
  round: readonly Addressed[],
): Promise<void> {
  const rules = { restHours, mailsADay: limitFor(limits, 'notice_mails_a_day', 'claimed') };
  const rows = round.map(({ notice, facts }) => ({
    ...notice,
    stage: stageOf(notice),
    again: notice.again ?? false,
    mail: facts.app === '' && facts.email !== '' && notice.appOnly !== true,
  }));
  const toApps = round.filter(({ facts }) => facts.app !== '');
  // A page link is for people held by an app, who may not be able to sign in; the front page is open to
  // everyone.
  const events = await appEvents.prepare(
    toApps.map(({ notice, facts }) => {
      const { link } = notice;
      const words = noticeWords(notice, languages.of(facts), facts.timeZone);
      return appNotice({ ...notice, ...words }, facts.app, link === '/' ? link : links.issue(facts, link));
    }),
  );
  const note = async (tx: Tx) =>
    new Map((await noteNotified(tx, rows, rules)).map((each) => [each.id, each.mailed]));
  const { mailed, due } = await (events.length === 0
    ? { mailed: await database.statement(note), due: [] }
    : database.transaction(async (tx) => {
        const mailed = await note(tx);
        const theirs = events.filter(({ event }) => mailed.has(event));
        return { mailed, due: theirs.length === 0 ? [] : await appEvents.store(tx, theirs) };
      }));
  if (due.length > 0) appEvents.poke(due);
  const mails = [...mailed].flatMap(([id, isMail]) => (isMail ? id : []));
  if (mails.length > 0) outbound.poke(mails);
  for (const { notice, facts } of round) recordNotice(notice.kind, outcomeOf(facts, mailed.get(notice.id)));
}

/** @param mailed undefined for a repeated notice */
function outcomeOf({ app, email }: Addressed['facts'], mailed: boolean | undefined) {
  if (mailed === undefined) return 'repeated';
  if (app !== '') return 'app';
  if (email === '') return 'no_way';
  return mailed ? 'mail' : 'over_limit';
}

import type { Database } from '@hearth/db';
import { type Limits, limitFor } from '@hearth/limits';
import type { People } from '@hearth/people';
import type { Heard } from '@hearth/runtime';
import { type Addressed, whomToTell } from '../actions/find-recipients.ts';
import { type AppEvents, eventsFor } from '../actions/hand-over.ts';
import { recordNotice } from '../actions/metrics.ts';
import type { PageLinks } from '../actions/page-links.ts';
import { noteTold } from '../db/notices.ts';
import { draftOf } from '../domain/drafts.ts';

/** Nobody is told of the same thing twice within so many hours. */
const restHours = 12;

export interface TellTools {
  database: Database;
  limits: Limits;
  people: Pick<People, 'find'>;
  apps: AppEvents;
  links: Pick<PageLinks, 'issue'>;
  /** E-mails are due. */
  mailsWait(): void;
}

/**
 * Tells people what needs them, each thing once in twelve hours and however often an event is heard: by the app that holds
 * them, else by e-mail. Who is told, the mails and the events of the apps are written in one transaction.
 */
export async function tellPeople(tools: TellTools, heard: readonly Heard[]): Promise<void> {
  const drafts = heard.flatMap(({ event }) => draftOf(event) ?? []);
  if (drafts.length === 0) return;
  for (const round of roundsOf(await whomToTell(tools.people, drafts))) await tellRound(tools, round);
}

/** The same thing for the same person goes by its time, one to a round: whether it is told rests on the one before. */
export function roundsOf(addressed: readonly Addressed[]): Addressed[][] {
  const rounds: Addressed[][] = [];
  const before = new Map<string, number>();
  for (const one of [...addressed].sort((a, b) => a.notice.at.getTime() - b.notice.at.getTime())) {
    const { person, about, item, kind } = one.notice;
    const key = `${person} ${about} ${item} ${kind}`;
    const round = before.get(key) ?? 0;
    before.set(key, round + 1);
    if (rounds[round] === undefined) rounds.push([]);
    rounds[round]!.push(one);
  }
  return rounds;
}

async function tellRound(
  { database, limits, apps, links, mailsWait }: TellTools,
  round: readonly Addressed[],
): Promise<void> {
  const rules = { restHours, mailsADay: limitFor(limits, 'notice_mails_a_day', 'claimed') };
  const rows = round.map(({ notice, facts }) => ({
    ...notice,
    mail: facts.app === '' && facts.email !== '',
  }));
  const events = await eventsFor(
    apps,
    links,
    round.flatMap(({ notice, facts: { app } }) => (app === '' ? [] : [{ notice, app }])),
  );
  const { told, due } = await database.transaction(async (tx) => {
    const told = new Map((await noteTold(tx, rows, rules)).map(({ id, mailed }) => [id, mailed]));
    const theirs = events.filter(({ id }) => told.has(id));
    return { told, due: theirs.length === 0 ? [] : await apps.store(tx, theirs) };
  });
  if (due.length > 0) apps.kick(due);
  if ([...told.values()].includes(true)) mailsWait();
  for (const { notice, facts } of round) recordNotice(notice.kind, outcomeOf(facts, told.get(notice.id)));
}

/** @param mailed undefined for what was not told */
function outcomeOf({ app, email }: Addressed['facts'], mailed: boolean | undefined) {
  if (mailed === undefined) return 'repeated';
  if (app !== '') return 'app';
  if (email === '') return 'no_way';
  return mailed ? 'mail' : 'over_limit';
}

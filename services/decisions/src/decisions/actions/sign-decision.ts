import { printId } from '@hearth/ids';
import { snapshotOf } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { createSigning, type Signing, type SigningParts } from '@hearth/receipts';
import type { Context } from '../context.ts';
import { decisionTable, type WholeDecision } from '../db/decisions.ts';
import type { Proposal } from '../domain/decision.ts';
import { decisionAgreed } from '../domain/events.ts';
import { outcomeOf } from '../domain/outcome.ts';
import { recordBody } from '../domain/record.ts';
import { viewersHere } from '../domain/seats.ts';

type Parts = SigningParts & Pick<Context, 'decisions' | 'people'>;

/** Signs agreed decisions. */
export function createDecisionSigning(parts: Parts): Signing<WholeDecision> {
  const { decisions, people } = parts;
  return createSigning<WholeDecision>(parts, {
    kind: 'decision',
    unsigned: decisionTable.unsigned,
    idOf: ({ row }) => row.number,
    find: decisions.find,
    async draft(agreed, by) {
      const { row } = agreed;
      if (row.status !== 'agreed' || row.record === null || row.signed_record !== null) return null;
      const facts = await people.everywhere.find(agreed.people.map(({ person }) => person));
      return {
        record: row.record,
        type: 'decision.outcome',
        subject: row.number,
        body: recordBody(agreed, facts),
        viewers: viewersHere(agreed),
        async store(json) {
          const after = { ...agreed, row: { ...row, signed_record: json, revision: row.revision + 1 } };
          await decisions.sign(after, json, decisionAgreed(after, outcomeFor(after, facts), by));
          return after;
        },
      };
    },
  });
}

/** The outcome as apps are told of it. */
function outcomeFor({ row, people }: WholeDecision, facts: ReadonlyMap<string, PersonFacts>) {
  const proposal = row.proposal as Proposal;
  const { summary, when, where } = outcomeOf(row, proposal);
  const named = (person: string) => {
    const known = facts.get(person);
    return known === undefined ? [] : [snapshotOf(known)];
  };
  const apps = [row.group_app, row.starter_app, ...[...facts.values()].map(({ app }) => app)];
  return {
    record: printId('rec', row.record as string),
    summary,
    when: when ?? '',
    where,
    people: people.flatMap(({ asked, person }) => (asked ? named(person) : [])),
    bring: proposal.bring.flatMap(({ person, what, assumed }) =>
      named(person).map((known) => ({ person: known, what, assumed })),
    ),
    apps: [...new Set(apps.filter((app): app is string => app !== null && app !== ''))],
  };
}

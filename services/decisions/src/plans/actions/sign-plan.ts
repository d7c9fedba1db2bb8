import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { snapshotOf } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { createSigning, type Signing, type SigningParts } from '@hearth/receipts';
import type { Context } from '../context.ts';
import { planTable, type WholePlan } from '../db/plans.ts';
import { planSettled } from '../domain/events.ts';
import { settledOption, summaryOf } from '../domain/outcome.ts';
import { askedOf } from '../domain/plan.ts';
import { recordBody } from '../domain/record.ts';
import { viewersHere } from '../domain/seats.ts';

type Parts = SigningParts & Pick<Context, 'people' | 'plans'>;

/** Signs settled plans. */
export function createPlanSigning(parts: Parts): Signing<WholePlan> {
  const { people, plans } = parts;
  return createSigning<WholePlan>(parts, {
    kind: 'plan',
    unsigned: planTable.unsigned,
    idOf: ({ row }) => row.id,
    find: plans.find,
    async draft(settled, by) {
      const { row } = settled;
      if (row.status !== 'settled' || row.record === null || row.signed_record !== null) return null;
      const starter = row.starter_person === null ? [] : [row.starter_person];
      const facts = await people.everywhere.find([...settled.people.map(({ person }) => person), ...starter]);
      return {
        record: row.record,
        type: 'plan.outcome',
        subject: printId('pln', row.id),
        body: recordBody(settled, facts),
        viewers: viewersHere(settled),
        async store(json) {
          const after = { ...settled, row: { ...row, signed_record: json, revision: row.revision + 1 } };
          await plans.sign(after, json, planSettled(after, outcomeFor(after, facts), by));
          return after;
        },
      };
    },
  });
}

/** The outcome as apps are told of it. */
function outcomeFor(whole: WholePlan, facts: ReadonlyMap<string, PersonFacts>) {
  const { row } = whole;
  const { starts, ends } = settledOption(row);
  const named = (person: string | null) => {
    const known = person === null ? undefined : facts.get(person);
    return known === undefined ? [] : [snapshotOf(known)];
  };
  const [by] = named(row.starter_person);
  const apps = [row.group_app, row.starter_app, ...[...facts.values()].map(({ app }) => app)];
  return {
    record: printId('rec', row.record as string),
    summary: summaryOf(row),
    when: starts,
    ...(ends !== null && { endsAt: timestampFromDate(new Date(ends)) }),
    where: row.place ?? '',
    details: row.details ?? '',
    ...(by !== undefined && { by }),
    byAi: row.starter_person === null ? row.starter : '',
    people: askedOf(whole).flatMap(({ person }) => named(person)),
    apps: [...new Set(apps.filter((app): app is string => app !== null && app !== ''))],
  };
}

import { create } from '@bufbuild/protobuf';
import { addressOf } from '@hearth/people';
import type { Plan } from '@hearth/proto/decisions/v1/plans';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand, PersonKind, PersonSchema } from '@hearth/proto/identity/v1/resources';
import { type Abroad, abroad } from '../../shared/domain/told.ts';
import type { WholePlan } from '../db/plans.ts';
import { type Seen, shownTo } from './show-to.ts';

/**
 * A plan as other homes read it: people by their addresses, and no one under 18.
 *
 * @param facts of its people and proposer, by their uuids
 */
export function showAbroad(
  found: WholePlan,
  facts: ReadonlyMap<string, PersonFacts>,
): { shown: Plan; away: Abroad<never, never>['away'] } {
  const { whole, away, isTold, record } = abroad(found, facts);
  const { row } = whole;
  const seen: Seen = (person) => {
    const known = facts.get(person);
    if (known === undefined || !isTold(person)) return null;
    const address = addressOf(known);
    const { name } = known;
    return create(PersonSchema, {
      id: address,
      address,
      name,
      kind: PersonKind.PERSON,
      ageBand: AgeBand.ADULT,
    });
  };
  const starter = row.starter_person === null || isTold(row.starter_person);
  const shown = shownTo(whole, seen, starter ? row.starter_address : '');
  return { shown: { ...shown, record: record ? shown.record : undefined }, away };
}

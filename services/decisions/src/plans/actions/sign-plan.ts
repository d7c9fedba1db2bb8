import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { snapshotOf } from '@hearth/people';
import type { Signing, SigningParts } from '@hearth/receipts';
import { createCourseSigning } from '../../shared/actions/course-signing.ts';
import type { Context } from '../context.ts';
import type { WholePlan } from '../db/plans.ts';
import { planSettled } from '../domain/events.ts';
import { settledOption, summaryOf } from '../domain/outcome.ts';
import { recordBody } from '../domain/record.ts';
import { kind } from './course.ts';

type PlanSigningDeps = SigningParts & Pick<Context, 'people' | 'things'>;

export function createPlanSigning(parts: PlanSigningDeps): Signing<WholePlan> {
  return createCourseSigning(parts, {
    kind,
    type: 'plan.outcome',
    namedIn: ({ row, people }) => [
      ...people.map(({ person }) => person),
      ...(row.starter_person === null ? [] : [row.starter_person]),
    ],
    bodyOf: recordBody,
    newsOf(whole, told, facts, by) {
      const { row } = whole;
      const { starts, ends } = settledOption(row);
      const starter = facts.get(row.starter_person ?? '');
      const outcome = {
        ...told,
        summary: summaryOf(row),
        when: starts,
        ...(ends !== null && { endsAt: timestampFromDate(new Date(ends)) }),
        where: row.place ?? '',
        details: row.details ?? '',
        ...(starter !== undefined && { by: snapshotOf(starter) }),
        byAi: row.starter_person === null ? row.starter : '',
      };
      return planSettled(whole, outcome, by);
    },
  });
}

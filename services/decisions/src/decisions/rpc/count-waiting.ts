import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { isUuid } from '@hearth/ids';
import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { countWaiting as countSeats } from '../../shared/db/lists.ts';
import { seatTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';

const holdsMs = 30_000;

export const countWaiting =
  ({ database, homeThings }: Context): UnaryHandler<typeof DecisionsService.method.countWaiting> =>
  async ({ person, caller }, call) => {
    if (!isUuid(person)) return {};
    const owner = isUuid(caller) ? caller : person;
    const [own, elsewhere] = await Promise.all([
      countSeats(database.db, person, owner),
      homeThings.countWaiting([person]),
    ]);
    const both = (kind: 'decision' | 'plan') => {
      const { count, oldest } = elsewhere.find((one) => one.kind === kind) ?? { count: 0, oldest: null };
      const first = [own[kind].oldest, oldest].filter((at) => at !== null).sort((a, b) => +a - +b)[0] ?? null;
      return { count: own[kind].count + count, oldest: first };
    };
    const { agreement } = own;
    const [decision, plan] = [both('decision'), both('plan')];
    call.validFor(holdsMs, seatTopic(person), seatTopic(owner));
    return {
      waiting: decision.count,
      ...(decision.oldest !== null && { oldest: timestampFromDate(decision.oldest) }),
      plans: plan.count,
      ...(plan.oldest !== null && { oldestPlan: timestampFromDate(plan.oldest) }),
      agreements: agreement.count,
      ...(agreement.oldest !== null && { oldestAgreement: timestampFromDate(agreement.oldest) }),
    };
  };

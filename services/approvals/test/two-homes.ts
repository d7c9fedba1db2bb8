import { createCarrier, twoHomes } from '@hearth/testkit';
import { startApprovals, type TestApprovals } from './start-approvals.ts';

export type OneOfTwo = TestApprovals & { name: string };

/** Two homes, and the way between them in the place of federation. */
export async function startTwoApprovals() {
  const [one, other] = await Promise.all(
    twoHomes.map(async ({ name, env }): Promise<OneOfTwo> => ({ ...(await startApprovals(env)), name })),
  );
  return { one: one!, other: other!, carry: createCarrier('approvals') };
}

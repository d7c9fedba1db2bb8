import { parseId } from '@hearth/ids';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { asApp } from '@hearth/testkit';
import { operator, type TestIdentity } from './start-identity.ts';

export interface MadeApp {
  uuid: string;
  /** app_... */
  id: string;
  key: string;
  secret: string;
  caller: Caller;
}

/** An app created by the operator. */
export async function makeApp({ by }: TestIdentity, fields: object = {}): Promise<MadeApp> {
  const wanted = { name: 'Team Planner', contactEmail: 'ops@planner.example', ...fields };
  const { app, appKey, signingSecret } = await by(operator).createApp(wanted);
  const uuid = parseId('app', app!.id)!;
  return { uuid, id: app!.id, key: appKey!, secret: signingSecret!, caller: asApp(uuid) };
}

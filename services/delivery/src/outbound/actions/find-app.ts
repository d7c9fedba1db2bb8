import { notFound } from '@hearth/errors';
import type { AppFacts } from '@hearth/proto/identity/v1/apps';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** Returns the current facts of an app. @throws not_found */
export async function findApp({ apps }: Pick<Context, 'apps'>, id: string, call: Call): Promise<AppFacts> {
  const { results } = await apps.findApps({ ids: [id] }, { call });
  const facts = results[0]?.facts;
  if (facts === undefined) throw notFound();
  return facts;
}

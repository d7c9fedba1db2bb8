import { HomeQuestionsService } from '@hearth/proto/federation/v1/items';
import type { Host } from '@hearth/runtime';
import type { Homes } from '../homes/module.ts';
import { createCards } from './actions/fetch-card.ts';
import type { Context } from './context.ts';

/** Cards of parties of other homes. @param nudge called when a home answered, to retry its log */
export async function startCards(
  host: Host,
  { homes, nudge }: { homes: Homes; nudge: (home: string) => Promise<void> },
): Promise<void> {
  const cards = createCards({ ...host, homes, nudge });
  host.onStop(() => cards.stop());
  const context: Context = { cards };
  await host.serveRpcs(HomeQuestionsService, import.meta.url, context);
}

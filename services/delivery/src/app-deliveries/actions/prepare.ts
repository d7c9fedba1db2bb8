import type { Event } from '@hearth/proto/events/v1/events';
import type { Context } from '../context.ts';
import type { NewAppEvent } from '../db/app-events.ts';
import { select } from '../domain/select.ts';
import { viewOf } from '../domain/view.ts';
import { findFacts } from './find-facts.ts';
import { render } from './render.ts';

/** The events of apps that come of these events, as each app may see them, in their order. */
export async function prepare(
  context: Pick<Context, 'ais' | 'apps' | 'groups' | 'people' | 'sealer' | 'siteUrl'>,
  events: readonly Event[],
): Promise<NewAppEvent[]> {
  const selected = events.flatMap((event) =>
    select(event).map((draft, index, all) => ({ event, draft, last: index === all.length - 1 })),
  );
  if (selected.length === 0) return [];
  const drafts = selected.map(({ draft }) => draft);
  const ids = [...new Set(drafts.flatMap(({ apps }) => apps))];
  const [facts, apps] = await Promise.all([
    findFacts(context, drafts),
    Promise.all(ids.map((id) => context.apps.find(id))),
  ]);
  const views = new Map(
    apps.flatMap((app) => (app === null ? [] : [[app.id, { app, view: viewOf(context, app.id, facts) }]])),
  );
  return selected.flatMap((each) =>
    each.draft.apps.flatMap((id) => {
      const to = views.get(id);
      return to === undefined ? [] : (render(each, to.app, to.view) ?? []);
    }),
  );
}

import type { Event } from '@hearth/proto/events/v1/events';
import { audiences } from '../../events/module.ts';
import type { Context } from '../context.ts';
import type { NewAppEvent } from '../db/app-events.ts';
import { viewOf } from '../domain/view.ts';
import { findFacts } from './find-facts.ts';
import { render, type Selected } from './render.ts';

/** Renders the app events that follow from these events, as each app may see them, in order. */
export async function prepare(
  context: Pick<Context, 'ais' | 'apps' | 'groups' | 'people' | 'sealer' | 'siteUrl'>,
  events: readonly Event[],
): Promise<NewAppEvent[]> {
  const drafts = events.flatMap(select);
  if (drafts.length === 0) return [];
  const ids = [...new Set(drafts.flatMap(({ apps }) => apps))];
  const [facts, apps] = await Promise.all([
    findFacts(context, drafts),
    Promise.all(ids.map((id) => context.apps.find(id))),
  ]);
  const views = new Map(
    apps.flatMap((app) => (app === null ? [] : [[app.id, { app, view: viewOf(context, app.id, facts) }]])),
  );
  return drafts.flatMap((draft) =>
    draft.apps.flatMap((id) => {
      const to = views.get(id);
      return to === undefined ? [] : (render(context.sealer, draft, to.app, to.view) ?? []);
    }),
  );
}

/** Returns the drafts of an event that at least one app receives. */
function select(event: Event): Selected[] {
  return audiences.app
    .drafts(event)
    .map((draft) => ({ ...draft, apps: [...new Set(draft.apps)].filter((app) => app !== '') }))
    .filter(({ apps, orderKey }) => apps.length > 0 && orderKey !== '')
    .map((draft, index, all) => ({ ...draft, last: index === all.length - 1 }));
}

import type { Event } from '@hearth/proto/events/v1/events';
import { select } from '../domain/select.ts';
import { type ViewContext, viewOf } from '../domain/view.ts';
import type { Apps, KnownApp } from './apps.ts';
import { type GatherContext, gather } from './find-facts.ts';
import { type AppEvent, render, type Selected } from './render.ts';

export interface PrepareContext extends GatherContext, ViewContext {
  people: GatherContext['people'];
  apps: Pick<Apps, 'find'>;
}

/** What apps are told of these events, as each may see it, in their order. */
export async function prepare(context: PrepareContext, events: readonly Event[]): Promise<AppEvent[]> {
  const selected = events.flatMap(selectFrom);
  if (selected.length === 0) return [];
  const drafts = selected.map(({ draft }) => draft);
  const [known, apps] = await Promise.all([gather(context, drafts), findApps(context, drafts)]);
  const views = new Map(apps.map((app) => [app.id, { app, view: viewOf(context, app.id, known) }]));
  return selected.flatMap((each) =>
    each.draft.apps.flatMap((id) => {
      const to = views.get(id);
      return to === undefined ? [] : (render(each, to.app, to.view) ?? []);
    }),
  );
}

function selectFrom(event: Event): Selected[] {
  const drafts = select(event);
  return drafts.map((draft, index) => ({ event, draft, last: index === drafts.length - 1 }));
}

async function findApps(
  { apps }: Pick<PrepareContext, 'apps'>,
  drafts: readonly { apps: readonly string[] }[],
): Promise<KnownApp[]> {
  const ids = [...new Set(drafts.flatMap((draft) => draft.apps))];
  const found = await Promise.all(ids.map((id) => apps.find(id)));
  return found.filter((app) => app !== null);
}

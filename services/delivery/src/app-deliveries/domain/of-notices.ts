import { NotifySchema } from '@hearth/proto/delivery/v1/app_events';
import { draft, type Selectors } from './draft.ts';

export const noticeEvents: Selectors = {
  personNotified: ({ person, about, title, body, link, kind, apps }) =>
    draft(NotifySchema, {
      apps,
      orderKey: person,
      needs: { people: [person, about] },
      data: (view) => ({
        person: view.personId({ id: person, minor: false }),
        ...(about !== '' && { about: view.personId({ id: about, minor: true }) }),
        title,
        body,
        link: view.page(link),
        kind,
      }),
    }),
};

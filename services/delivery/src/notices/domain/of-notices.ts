import { type Mappers, type NoticeKind, noticeKinds, uuidOrNull } from './notice.ts';

export const noticeEvents: Mappers = {
  personNotified({ person, about, kind, item, title, body, link }) {
    const known = noticeKinds.find((name): name is NoticeKind => name === kind);
    // A path of this home and of nowhere else, whatever it would be put behind.
    if (known === undefined || !/^\/(?![/\\])/.test(link)) return null;
    return { person, about: uuidOrNull(about), kind: known, item, title, body, link, by: null };
  },
};

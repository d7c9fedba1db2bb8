export type { AppDraft, NamedPerson, View } from './domain/app-event.ts';
export { audiences } from './domain/audiences.ts';
export type { ActivityDraft, Draft, NoticeDraft, NoticeText } from './domain/draft.ts';
export type { WakeUpDraft } from './domain/wake-up.ts';

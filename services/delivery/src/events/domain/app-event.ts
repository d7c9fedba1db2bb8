import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import type { AiSnapshot, GroupSnapshot, PersonSnapshot } from '@hearth/proto/events/v1/events';
import type { GroupSchema } from '@hearth/proto/groups/v1/groups';
import type { AiSchema, PersonSchema } from '@hearth/proto/identity/v1/resources';

/** The facts that decide under which id an app knows a person. */
export interface NamedPerson {
  /** uuid */
  id: string;
  /** Whether they were under 18 at the time of the event; used once the person is deleted. */
  minor: boolean;
  /** uuid of the app that held a deleted person. */
  app?: string;
}

/** How one app sees the people and things that an event names. */
export interface View {
  /** uuid of the app. */
  app: string;
  /** Whether the app holds the person. */
  holds(person: string): boolean;
  /** per_, or the app's own shp_. */
  personId(person: NamedPerson): string;
  person(snapshot: PersonSnapshot): MessageInitShape<typeof PersonSchema>;
  group(snapshot: GroupSnapshot): MessageInitShape<typeof GroupSchema>;
  /** @param status claimed, vouched or unclaimed, at the time of the event */
  ai(snapshot: AiSnapshot, status: string): MessageInitShape<typeof AiSchema>;
  /** Whether the app created the group or holds a member. */
  isIn(group: string): boolean;
  /** Returns the URL of a page. */
  page(path: string): string;
}

/** uuids of the people and things whose facts are needed to render an event; empty strings are ignored. */
export interface Needs {
  people?: readonly string[];
  groups?: readonly string[];
  ais?: readonly string[];
}

/** An event for apps, before it is rendered for each. */
export interface AppDraft {
  /** Declares the type and its data. */
  message: DescMessage;
  /** uuids of the receiving apps; duplicates and empty strings are ignored. */
  apps: readonly string[];
  /**
   * uuid of the group or person (else the AI, or the approval) that orders the event; without it the event is
   * not sent.
   */
  orderKey: string;
  needs: Needs;
  /** Returns null if the event is not for this app after all. */
  data(view: View): Record<string, unknown> | null;
  /** Whether an app receives it only once per group, with the group's first event that concerns the app. */
  oncePerGroup?: boolean;
}

/** Builds a draft whose data match its message type. */
export function appEvent<Message extends DescMessage>(
  message: Message,
  rest: Omit<AppDraft, 'message' | 'data'> & { data(view: View): MessageInitShape<Message> | null },
): AppDraft {
  return { message, ...rest } as AppDraft;
}

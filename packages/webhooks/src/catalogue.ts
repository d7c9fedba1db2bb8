import { type DescMessage, getOption, hasOption } from '@bufbuild/protobuf';
import { file_hearth_delivery_v1_app_events } from '@hearth/proto/delivery/v1/app_events';
import { file_hearth_delivery_v1_wake_ups } from '@hearth/proto/delivery/v1/wake_ups';
import { app_event, wake_up } from '@hearth/proto/options';
import type { JsonSchema } from '@hearth/proto-json';
import { type EventWords, eventWords } from './event-words.ts';

/** An event, declared by the message that is its `data`. */
export interface EventKind {
  /** Such as "member.joined". */
  readonly name: string;
  /** The message of its `data`. */
  readonly message: DescMessage;
  /** The message's comment; read lazily, as is the schema. */
  readonly description: string;
  /** JSON Schema of `data`. */
  readonly schema: JsonSchema;
}

/** An event that wakes AIs. */
export interface WakeUpKind extends EventKind {
  /** Whether a subscription or poll can be limited to one group. */
  readonly groupFilter: boolean;
  /** Whether AIs without an owner receive it too. */
  readonly withoutOwner: boolean;
  /** Whether it is agreed but nothing triggers it yet; the description says so. */
  readonly notYet: boolean;
  /** JSON Schema of the filters. */
  readonly inputSchema: JsonSchema;
}

class DeclaredEvent implements EventKind {
  readonly name: string;
  readonly message: DescMessage;
  #words: EventWords | undefined;

  constructor(message: DescMessage, name: string) {
    this.message = message;
    this.name = name;
  }

  get description(): string {
    return this.words().description;
  }

  get schema(): JsonSchema {
    return this.words().schema;
  }

  words(): EventWords {
    this.#words ??= eventWords(this.message);
    return this.#words;
  }
}

class DeclaredWakeUp extends DeclaredEvent implements WakeUpKind {
  readonly groupFilter: boolean;
  readonly withoutOwner: boolean;
  readonly notYet: boolean;
  readonly inputSchema: JsonSchema;

  constructor(message: DescMessage) {
    const { name, groupFilter, notYet, withoutOwner } = getOption(message, wake_up);
    super(message, name);
    this.groupFilter = groupFilter;
    this.withoutOwner = withoutOwner;
    this.notYet = notYet;
    this.inputSchema = {
      type: 'object',
      properties: groupFilter ? { group } : {},
      additionalProperties: false,
    };
  }

  override get description(): string {
    return `${super.description}${this.notYet ? ' It cannot happen on this home yet.' : ''}`;
  }
}

const group: JsonSchema = { type: 'string', description: 'Only what happens in this group: its id.' };

/** The events that wake AIs, in order of declaration. */
export const wakeUps: readonly WakeUpKind[] = file_hearth_delivery_v1_wake_ups.messages
  .filter((message) => hasOption(message, wake_up))
  .map((message) => new DeclaredWakeUp(message));

/** The events sent to apps, in order of declaration. */
export const appEvents: readonly EventKind[] = file_hearth_delivery_v1_app_events.messages
  .filter((message) => hasOption(message, app_event))
  .map((message) => new DeclaredEvent(message, getOption(message, app_event).name));

/** Types of events sent to apps, which may subscribe to some of them. */
export const appEventTypes: readonly string[] = appEvents.map(({ name }) => name);

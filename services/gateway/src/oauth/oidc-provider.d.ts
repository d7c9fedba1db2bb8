/** The used parts of oidc-provider, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface OAuthClient {
    clientId: string;
    clientName?: string;
    redirectUris: string[];
    grantTypeAllowed(type: string): boolean;
  }

  /** The state of a request to the authorization server (Koa's context, with `oidc`). */
  export interface OAuthContext {
    req: IncomingMessage;
    status: number;
    type: string;
    body: unknown;
    state: Record<string, unknown>;
    response: { get(header: string): string };
    set(headers: Record<string, string>): void;
    remove(header: string): void;
    oidc?: {
      route: string;
      params?: Record<string, unknown>;
      /** The JSON of a registration. */
      body?: unknown;
      client?: OAuthClient;
      session?: { destroyed: boolean };
      result?: { consent?: { grantId?: string } };
      entities: Record<string, { jti?: string; grantId?: string } | undefined>;
    };
  }

  export type OAuthPayload = Record<string, unknown> & {
    jti?: string;
    grantId?: string;
    exp?: number;
    consumed?: number;
  };

  export interface OAuthAdapter {
    upsert(id: string, payload: OAuthPayload, expiresIn?: number): Promise<void>;
    find(id: string): Promise<OAuthPayload | undefined>;
    findByUid(uid: string): Promise<OAuthPayload | undefined>;
    findByUserCode(code: string): Promise<OAuthPayload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export interface OAuthInteraction {
    uid: string;
    /** Seconds since 1970. */
    iat: number;
    returnTo: string;
    params: Record<string, string | string[] | undefined>;
    result?: unknown;
  }

  export interface OAuthGrant {
    jti: string;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export interface OAuthToken {
    readonly kind: string;
    readonly scope?: string;
    readonly aud?: string | string[];
    /** The token as the client receives it. */
    generateTokenId(): string;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    /** The current request. */
    static readonly ctx: OAuthContext | undefined;
    readonly Client: { find(id: string): Promise<OAuthClient | undefined> };
    readonly AccessToken: { prototype: OAuthToken };
    readonly RefreshToken: { prototype: OAuthToken };
    readonly Grant: new (properties: {
      accountId: string;
      clientId: string;
      jti: string;
    }) => OAuthGrant;
    proxy: boolean;
    silent: boolean;
    use(middleware: (context: OAuthContext, next: () => Promise<void>) => Promise<void>): void;
    on(event: string, listener: (context: OAuthContext, error: Error) => void): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<OAuthInteraction>;
    interactionResult(request: IncomingMessage, response: ServerResponse, result: object): Promise<string>;
  }

  export namespace errors {
    class OIDCProviderError extends Error {
      error: string;
      error_description?: string;
    }
    class CustomOIDCProviderError extends OIDCProviderError {
      constructor(error: string, description: string);
    }
    class InvalidClient extends OIDCProviderError {
      constructor(description: string, detail?: string);
    }
    class InvalidClientMetadata extends OIDCProviderError {
      constructor(description: string);
    }
    class InvalidGrant extends OIDCProviderError {
      constructor(detail: string);
    }
    class InvalidRequest extends OIDCProviderError {
      constructor(description: string);
    }
    class InvalidTarget extends OIDCProviderError {}
    class SessionNotFound extends OIDCProviderError {}
  }

  export namespace interactionPolicy {
    class Check {
      constructor(
        reason: string,
        description: string,
        error: string,
        check: (context: OAuthContext) => boolean,
      );
    }
    class Prompt {
      constructor(about: { name: string; requestable: boolean }, ...checks: Check[]);
    }
  }
}

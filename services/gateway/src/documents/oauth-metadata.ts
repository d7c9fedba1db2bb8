import { paths, scopes } from '@hearth/web';
import { oauthPaths } from '../oauth/module.ts';

/** {site_url}/.well-known/oauth-authorization-server (RFC 8414). */
export function authorizationServerMetadata(siteUrl: string): object {
  return {
    issuer: siteUrl,
    authorization_endpoint: `${siteUrl}${oauthPaths.authorize}`,
    token_endpoint: `${siteUrl}${oauthPaths.token}`,
    registration_endpoint: `${siteUrl}${oauthPaths.register}`,
    revocation_endpoint: `${siteUrl}${oauthPaths.revoke}`,
    scopes_supported: [...scopeNames, 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${siteUrl}/llms.txt`,
  };
}

/** The order in the protocol. */
const order = ['read', 'notes', 'message', 'group', 'invite', 'approve'];
const scopeNames = order.filter((name) => (scopes as readonly string[]).includes(name));

/** The protected resources, by the last part of their addresses: the home, its API, its endpoint for MCP. */
export const protectedResources = ['', '/v0', paths.mcp] as const;

/** {site_url}/.well-known/oauth-protected-resource, and under it each resource's own (RFC 9728). */
export function protectedResourceMetadata(siteUrl: string, path: string): object {
  return {
    resource: `${siteUrl}${path}`,
    authorization_servers: [siteUrl],
    scopes_supported: scopeNames,
    bearer_methods_supported: ['header'],
    resource_documentation: `${siteUrl}/llms.txt`,
  };
}

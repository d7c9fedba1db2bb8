/** An app as the home answers it. */
export interface App {
  id: string;
  name: string;
  redirect_uris: string[];
  contact_email: string;
  webhook_url?: string;
  event_types: string[];
  minors: boolean;
  created_at: string;
}

import type { SignedIn } from '../crud/outcomes/account.js'
import type { Reply } from './face.js'

/** What the browser of whoever has signed in is to keep, and to forget. */
export function keptBy({
  grant,
  language,
  begun,
  challenges,
}: Partial<Pick<SignedIn, 'grant' | 'language' | 'begun' | 'challenges'>>): Pick<Reply, 'session' | 'language' | 'begun' | 'challenges'> {
  return {
    ...(grant?.is === 'session' && { session: grant }),
    ...(language !== undefined && { language }),
    ...(begun && { begun }),
    ...(challenges && { challenges }),
  }
}

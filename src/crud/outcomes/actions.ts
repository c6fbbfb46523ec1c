// What actions and jobs end in.
import type { DaymarkError } from '../../base/errors.js'
import type { Answer } from '../../resource/action/action.js'
import type { BoundAction } from '../../resource/action/bind-action.js'
import type { Resource } from '../../resource/resource.js'
import type { Job } from '../../store/panel/jobs.js'
import type { FormField } from './forms.js'

/** A handler or a method has run. */
export interface Acted {
  /** The kind of outcome. */
  readonly is: 'acted'
  /** What it returned. */
  readonly answer: Answer
  /** The page of its form, as the browser sent it: unchecked. */
  readonly back: string
  /** The resource to whose list to go on, since that page is one of a record that the action has taken away; null: it is there. */
  readonly gone?: Resource | null
}

/** The form of an action, before it runs. */
export interface Asked {
  /** The kind of outcome. */
  readonly is: 'asked'
  /** The resource; null: the action is a method of a page. */
  readonly resource: Resource | null
  /** The action. */
  readonly action: BoundAction
  /** The controls. */
  readonly fields: readonly FormField[]
  /** The fields that are to be changed, of those that are offered; null: all of them are asked for. */
  readonly picked: ReadonlySet<string> | null
  /** The labels of the first selected records. */
  readonly labels: readonly string[]
  /** How many records are selected. */
  readonly count: number
  /** The question to confirm; null: none. */
  readonly confirm: string | null
  /** Whether the button says that something is destroyed. */
  readonly danger: boolean
  /** Hidden fields that name the page and the button. */
  readonly from: readonly (readonly [name: string, value: string])[]
  /** Hidden fields that name the records. */
  readonly subject: readonly (readonly [name: string, value: string])[]
  /** Why the form was refused; null: it was not. */
  readonly error: DaymarkError | null
  /** The one-time key of the form. */
  readonly once: string
  /** The page of the form, as the browser sent it: unchecked. */
  readonly back: string
}

/** A job that has begun, or its progress. */
export interface JobShown {
  /** The kind of outcome. */
  readonly is: 'job'
  /** The job. */
  readonly job: Job
  /** Whether it has just begun. */
  readonly started: boolean
}

/** A job at each step, up to its end. */
export interface Progress {
  /** The kind of outcome. */
  readonly is: 'progress'
  /** The job at each step. */
  readonly states: AsyncIterable<Job | null>
}

import { createContext, use } from 'react';
import { m } from '#messages';
import type { Onboarding } from '#office/contract.ts';
import type { OnboardingStepName } from '#office/onboarding.ts';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';

export interface OnboardingControls {
  draft: StoreDraft;
  onboarding: Onboarding;
  /** Skips the step, and shows the next unfinished one. */
  goOn: () => void;
  /** Confirms the step's defaults, and continues. */
  settle: (step: OnboardingStepName) => Promise<void>;
}

export const OnboardingContext = createContext<OnboardingControls | null>(null);

export function useOnboarding(): OnboardingControls {
  const controls = use(OnboardingContext);
  if (!controls) throw new Error('Only on the page of the guided set-up.');
  return controls;
}

/** The URL of a page outside the set-up. The page then shows a link back to the step. */
export function pageLinkWithReturn(step: OnboardingStepName, page: string): string {
  return `${page}${page.includes('?') ? '&' : '?'}back=${step}`;
}

interface StepWords {
  title: () => string;
  why: () => string;
  minutes: number;
}

export const stepWords: Record<OnboardingStepName, StepWords> = {
  details: { title: m.office_setup_details, why: m.office_setup_details_why, minutes: 1 },
  pin: { title: m.office_setup_pin, why: m.office_setup_pin_why, minutes: 1 },
  hours: { title: m.office_setup_hours, why: m.office_setup_hours_why, minutes: 1 },
  ways: { title: m.office_setup_ways, why: m.office_setup_ways_why, minutes: 1 },
  menu: { title: m.office_setup_menu, why: m.office_setup_menu_why, minutes: 4 },
  allergens: { title: m.office_setup_allergens, why: m.office_setup_allergens_why, minutes: 3 },
  payment: { title: m.office_setup_payment, why: m.office_setup_payment_why, minutes: 1 },
  paper: { title: m.office_setup_paper, why: m.office_setup_paper_why, minutes: 1 },
  people: { title: m.office_setup_people, why: m.office_setup_people_why, minutes: 1 },
  test_order: { title: m.office_setup_test, why: m.office_setup_test_why, minutes: 1 },
  go_live: { title: m.office_setup_live, why: m.office_setup_live_why, minutes: 1 },
};

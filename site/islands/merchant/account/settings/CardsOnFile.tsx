import { CardsOnFileSetting } from '#shared/contracts/staff/account-settings';
import { APP_VIEW_ID, readAppView } from '#site/islands/merchant/common/app-view.ts';
import type { LoadState } from '#site/islands/merchant/common/use-load.tsx';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { createSwitchCalls, SwitchSection } from './PayersView.tsx';

const cardsOnFile = createSwitchCalls('/api/cards-on-file', readWith(CardsOnFileSetting));
export const fetchCardsOnFile = cardsOnFile.fetch;

async function saveCardsOnFile(isOn: boolean) {
  const answer = await cardsOnFile.save(isOn);
  if (answer.ok) showInApp(answer.value.is_on);
  return answer;
}

/** Updates the view data, so that other screens offer the cards without a reload of the page. */
function showInApp(isOn: boolean): void {
  const element = document.getElementById(APP_VIEW_ID);
  if (element) element.textContent = JSON.stringify({ ...readAppView(), cardsOnFile: isOn });
}

/** The setting that lets payers keep a card, which staff can charge later. */
export const CardsOnFile = ({ load }: { load: LoadState<CardsOnFileSetting> }) => (
  <SwitchSection
    id="cards-on-file"
    heading="Cards on file"
    failureLead="Whether payers may keep a card could not be loaded."
    load={load}
    save={saveCardsOnFile}
    badges={['On', 'Off']}
    description="If this is on, payers may keep their card for later bills. The payment page asks for their consent with a box that they tick themselves. Staff who take payments can then charge the card for a bill of this customer. The card provider keeps the card number, not we. Each receipt has a link with which the payer removes the card."
    switchOn={{
      label: 'Offer to keep cards',
      title: 'Offer payers to keep their card?',
      text: 'From now on, payment pages offer it. No card is kept unless the payer agrees.',
      successText: 'Payers may keep their card.',
    }}
    switchOff={{
      label: 'Stop keeping cards',
      title: 'Stop keeping cards?',
      text: 'Payment pages no longer offer it, and no card on file can be charged. Cards that payers keep here stay until they remove them, and can be charged again if you turn this on.',
      successText: 'Cards on file are off.',
    }}
  >
    {({ is_on, is_available }) =>
      !is_on &&
      !is_available && (
        <p>
          This cannot be turned on yet: the operator of this service has not confirmed with the card provider how such
          charges must be marked.
        </p>
      )
    }
  </SwitchSection>
);

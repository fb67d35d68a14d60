{
  const consent = document.getElementById('consent');
  consent.hidden = false;
  try {
    consent.hidden = localStorage.cookieConsent === 'accepted';
  } catch {}
  document.getElementById('accept').onclick = () => {
    consent.hidden = true;
    try {
      localStorage.cookieConsent = 'accepted';
    } catch {}
  };
}


	"serve8S

af
'
bIfa*
thenR
f*
b
g
savR
f*
b
J
gÿÿÿÿ:2

f